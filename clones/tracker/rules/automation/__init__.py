"""Automation rules without the database: what they are made of, when they are due, what they say.

catalogue     every kind of trigger, condition, branch and action, by the vendor's names
documents     rules as JSON: read, checked, counted, numbered
comparing     the operators of conditions
cron          schedules
events        which triggers an event sets off
smart         smart values: `{{issue.key}}`
"""
