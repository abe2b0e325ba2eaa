import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('core', '0002_webhooks'),
    ]

    operations = [
        migrations.AddField(
            model_name='message',
            name='cc',
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name='message',
            name='message_id',
            field=models.CharField(default='', max_length=255),
        ),
        migrations.AddField(
            model_name='message',
            name='thread',
            field=models.CharField(default='', max_length=255),
        ),
        migrations.AddField(
            model_name='message',
            name='files',
            field=models.JSONField(default=list),
        ),
        migrations.AddIndex(
            model_name='message',
            index=models.Index(fields=['message_id'], name='core_message_name'),
        ),
        migrations.AddIndex(
            model_name='message',
            index=models.Index(fields=['thread'], name='core_message_thread'),
        ),
        migrations.CreateModel(
            name='Envelope',
            fields=[
                ('id', models.CharField(max_length=40, primary_key=True, serialize=False)),
                ('address', models.CharField(max_length=254)),
                ('folder', models.CharField(choices=[('inbox', 'inbox'), ('sent', 'sent')], max_length=5)),
                ('read_at', models.DateTimeField(null=True)),
                ('message', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='envelopes', to='core.message')),
            ],
            options={
                'db_table': 'core_envelope',
                'indexes': [models.Index(fields=['address', 'folder', 'message'], name='core_envelope_mailbox'), models.Index(fields=['message'], name='core_envelope_message')],
            },
        ),
    ]
