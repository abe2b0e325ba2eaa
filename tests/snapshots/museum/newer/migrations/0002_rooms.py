from typing import Any

from django.db import migrations, models


def put_into_one_room(apps: Any, schema_editor: Any) -> None:
    room = apps.get_model('museum', 'Room').objects.create(id=7, name='Cellar')
    apps.get_model('museum', 'Piece').objects.update(room=room)


class Migration(migrations.Migration):

    atomic = False

    dependencies = [('museum', '0001_initial')]

    operations = [
        migrations.CreateModel(
            name='Room',
            fields=[
                ('id', models.BigIntegerField(primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=40)),
            ],
            options={'db_table': 'museum_room'},
        ),
        migrations.AddField(
            model_name='piece',
            name='room',
            field=models.ForeignKey(null=True, on_delete=models.deletion.PROTECT, to='museum.room'),
        ),
        migrations.RunPython(put_into_one_room, migrations.RunPython.noop),
        migrations.AlterField(
            model_name='piece',
            name='room',
            field=models.ForeignKey(on_delete=models.deletion.PROTECT, to='museum.room'),
        ),
        migrations.AlterField(
            model_name='piece', name='title', field=models.CharField(max_length=80)
        ),
        migrations.RemoveField(model_name='piece', name='donor'),
    ]
