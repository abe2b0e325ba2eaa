"""The CRM: a clone compatible with Salesforce Sales and Service Cloud."""
