const hasType = (type: string) => {
  const pattern = new RegExp(`^${type}\\s*(;|$)`, "i");
  return (contentType: string | undefined) => pattern.test(contentType ?? "");
};

/** Whether a content type is JSON's, whatever its parameters say. */
export const isJson = hasType("application/json");
/** Whether it is that of a form of names and values in one text. */
export const isEncodedForm = hasType("application/x-www-form-urlencoded");
/** Whether it is that of a form of parts. */
export const isMultipart = hasType("multipart/form-data");

/** Whether a content type is one of the two of forms. */
export const isForm = (contentType: string | undefined) => isMultipart(contentType) || isEncodedForm(contentType);
