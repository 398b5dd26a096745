const hasType = (type: string) => {
  const pattern = new RegExp(`^${type}\\s*(;|$)`, "i");
  return (contentType: string | undefined) => pattern.test(contentType ?? "");
};

/** Whether a content type is JSON, with any parameters. */
export const isJson = hasType("application/json");
/** Whether a content type is a URL-encoded form. */
export const isEncodedForm = hasType("application/x-www-form-urlencoded");
/** Whether a content type is a multipart form. */
export const isMultipart = hasType("multipart/form-data");

/** Whether a content type is a multipart or a URL-encoded form. */
export const isForm = (contentType: string | undefined) => isMultipart(contentType) || isEncodedForm(contentType);
