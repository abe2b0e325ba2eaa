from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name='Piece',
            fields=[
                ('id', models.BigIntegerField(primary_key=True, serialize=False)),
                ('title', models.CharField(max_length=41)),
                ('donor', models.TextField(default='')),
            ],
            options={'db_table': 'museum_piece'},
        ),
    ]
