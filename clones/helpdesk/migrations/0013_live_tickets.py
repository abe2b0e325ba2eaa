from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('helpdesk', '0012_custom_objects'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='ticket',
            index=models.Index(condition=models.Q(('deleted_at', None)), fields=['id'], name='helpdesk_ticket_live'),
        ),
    ]
