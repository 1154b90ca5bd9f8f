"""The process that holds live environments. It opens episodes and seals evidence; it cannot read a reference."""
