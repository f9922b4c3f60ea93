/* Enable all element types: set the class switches of each_type.h. */
#define WANT_BOOL 1
#define WANT_INTEGER 1
#define WANT_SMALL 1
#define WANT_FLOAT 1
#define WANT_COMPLEX 1
