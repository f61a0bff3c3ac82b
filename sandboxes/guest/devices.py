"""Devices that answer to the names of GPUs where there are none: one logical CPU device for each.

The session's code is not touched. What changes is what TensorFlow answers when it is asked for its devices, and
which device it takes a name for: `GPU:0` is `CPU:1`, `GPU:1` is `CPU:2`. The host names this in every report.
"""

from __future__ import annotations


def lend(count):
    """Let TensorFlow find `count` GPUs. Must be called before it runs an operation."""
    from tensorflow.python.eager import context
    from tensorflow.python.framework import device_spec

    made = context.context()
    made._initialize_physical_devices()
    (host,) = [device for device in made._physical_devices if device.device_type == "CPU"]
    names = ["/physical_device:GPU:%d" % number for number in range(count)]
    lent = [context.PhysicalDevice(name=name, device_type="GPU") for name in names]
    made._physical_devices += lent
    made._visible_device_list += lent
    made._memory_growth_map.update(dict.fromkeys(lent))
    _divide(context, made, host, lent)
    _follow_division(context, host, lent)
    _answer(context)
    _translate(device_spec.DeviceSpecV2)


def _divide(context, made, host, lent):
    """One logical CPU device for the host and one for each logical GPU."""
    visible = [device for device in made._visible_device_list if device in lent]
    parts = sum(len(made._virtual_device_map.get(device) or [None]) for device in visible)
    made._virtual_device_map[host] = [context.LogicalDeviceConfiguration() for _ in range(parts + 1)]


def _follow_division(context, host, lent):
    """Where the code divides a GPU or hides one, divide the host in the same way."""

    def followed(change):
        def changed(self, *arguments, **options):
            change(self, *arguments, **options)
            if self._context_handle is None:
                _divide(context, self, host, lent)

        return changed

    for name in ("set_logical_device_configuration", "set_visible_devices"):
        setattr(context.Context, name, followed(getattr(context.Context, name)))


def _answer(context):
    """List the logical devices that stand in under the names they stand in for."""
    as_written = context.Context.list_logical_devices

    def list_logical_devices(self, device_type=None):
        found = [_as_gpu(context, device) for device in as_written(self)]
        return [device for device in found if device_type in (None, device.device_type)]

    context.Context.list_logical_devices = list_logical_devices


def _as_gpu(context, device):
    head, _, number = device.name.rpartition("CPU:")
    if not head or number == "0":
        return device
    return context.LogicalDevice(name="%sGPU:%d" % (head, int(number) - 1), device_type="GPU")


def _translate(spec):
    """Read the name of a GPU as that of the device which stands in for it."""
    as_written = spec._string_to_components

    def string_to_components(text=None):
        job, replica, task, kind, index = as_written(text)
        if kind == "GPU":
            kind, index = "CPU", (index or 0) + 1
        return job, replica, task, kind, index

    spec._string_to_components = staticmethod(string_to_components)
