"""Sandlot's front door: client, action spaces, gateways, command line."""
