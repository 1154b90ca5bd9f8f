"""schemathesis against a service of its own: is the OpenAPI document true?"""
