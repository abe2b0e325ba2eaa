"""The kinds of fields that issues have: how their values are kept and what can be done to them.

`kinds` has the families and the custom field types that belong to them, `system` the fields that
every site has. What fields are called and how the vendor describes them is `rules.field_catalogue`.
"""
