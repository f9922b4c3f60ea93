/* Calls fill_rows of TYPE; BODY of a second pass over the types, inside an init function that has `table`. */
FN(fill_rows)(table);
