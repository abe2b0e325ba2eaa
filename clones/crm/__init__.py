"""The CRM: a clone compatible with Salesforce."""
