/* End of an .ops file: undefines all columns. */
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
