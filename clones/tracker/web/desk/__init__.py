"""The pages of agents at service desks: queues, customers, settings, what requests have."""
