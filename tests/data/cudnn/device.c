/* device.c: a library in cuDNN's place that knows a GPU, for tests/cudnn.t: its properties
   are a text, which it gives to whoever asks for it as is due, and nothing else. REFUSE
   names what it refuses. */
#include <cudnn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] = "{\"multiProcessorCount\":7,\"name\":\"a device of tests\"}";
static int handle, made, given, finished, destroyed;

static cudnnStatus_t when(int right, const char *what)
{
    if (!right)
        printf("not as is due: %s\n", what);
    return getenv("REFUSE") && !strcmp(getenv("REFUSE"), what) ? CUDNN_STATUS_NOT_SUPPORTED
        : right                                                ? CUDNN_STATUS_SUCCESS
                                                               : CUDNN_STATUS_BAD_PARAM;
}

size_t cudnnGetVersion(void)
{
    return CUDNN_VERSION;
}
const char *cudnnGetErrorString(cudnnStatus_t s)
{
    return s == CUDNN_STATUS_NOT_SUPPORTED ? "refused" : "wrong";
}
void cudnnGetLastErrorString(char *to, size_t room)
{
    snprintf(to, room, "%s", "");
}

cudnnStatus_t cudnnCreate(cudnnHandle_t *h)
{
    *h = (cudnnHandle_t)&handle;
    return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDestroy(cudnnHandle_t h)
{
    printf("%d made, %d destroyed\n", made, destroyed);
    return when(h == (cudnnHandle_t)&handle, "the end");
}

cudnnStatus_t cudnnBackendCreateDescriptor(cudnnBackendDescriptorType_t type,
                                           cudnnBackendDescriptor_t *d)
{
    *d = (cudnnBackendDescriptor_t)&made;
    made++;
    return when(type == CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR, "a descriptor");
}
cudnnStatus_t cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t d)
{
    destroyed++;
    return when(d == (cudnnBackendDescriptor_t)&made, "a descriptor's end");
}
cudnnStatus_t cudnnBackendSetAttribute(cudnnBackendDescriptor_t d, cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t type, int64_t count,
                                       const void *value)
{
    given++;
    return when(d == (cudnnBackendDescriptor_t)&made && name == CUDNN_ATTR_DEVICEPROP_HANDLE &&
                    type == CUDNN_TYPE_HANDLE && count == 1 && !finished &&
                    *(const cudnnHandle_t *)value == (cudnnHandle_t)&handle,
                "the handle");
}
cudnnStatus_t cudnnBackendFinalize(cudnnBackendDescriptor_t d)
{
    finished++;
    return when(d == (cudnnBackendDescriptor_t)&made && given == 1, "the properties");
}
cudnnStatus_t cudnnBackendGetAttribute(cudnnBackendDescriptor_t d, cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t type, int64_t room,
                                       int64_t *count, void *to)
{
    int64_t n = sizeof text - 1;
    cudnnStatus_t s = when(d == (cudnnBackendDescriptor_t)&made && type == CUDNN_TYPE_CHAR &&
                               finished == 1 && (room == 0) == (to == NULL) &&
                               name == CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION,
                           "the text");

    if (s != CUDNN_STATUS_SUCCESS)
        return s;
    if (room)
        memcpy(to, text, room < n ? room : n);
    *count = n;
    return s;
}
