/* Undefine all columns; included at the end of an .ops file. */
#undef OP
#undef TRAITS
#undef PRIORITY
#undef FORM
#undef INFER
#undef RULE
#undef LOCAL
#undef PAD
#undef LOWER
#undef NEST
#undef REDUCER
