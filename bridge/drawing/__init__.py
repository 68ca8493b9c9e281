"""Drawings of any result: graphs of reasons, charts; SVG, PNG, PDF."""
