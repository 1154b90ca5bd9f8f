"""Addresses: Spirit alone, without Django's own administration."""

import spirit.urls
from django.urls import include, path

urlpatterns = [path("", include(spirit.urls))]
