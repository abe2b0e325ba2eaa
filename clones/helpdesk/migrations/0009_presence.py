import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('helpdesk', '0008_ticket_schedule'),
    ]

    operations = [
        migrations.CreateModel(
            name='OpenTicket',
            fields=[
                ('id', models.CharField(max_length=60, primary_key=True, serialize=False)),
                ('seen_at', models.DateTimeField(null=True)),
                ('form', models.JSONField(default=dict)),
                ('stamp', models.DateTimeField(null=True)),
                ('ticket', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='helpdesk.ticket')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='helpdesk.user')),
            ],
            options={
                'abstract': False,
            },
        ),
    ]
