"""What hidden splits release, to whom and when; everything that is shown of them comes from here."""
