const hasType = (type: string) => {
  const pattern = new RegExp(`^${type}\\s*(;|$)`, "i");
  return (contentType: string | undefined) => pattern.test(contentType ?? "");
};

/** Whether a content type is JSON, with any parameters. */
export const isJson = hasType("application/json");
/** Whether it's a URL-encoded form. */
export const isEncodedForm = hasType("application/x-www-form-urlencoded");
/** Whether it's a multipart form. */
export const isMultipart = hasType("multipart/form-data");

/** Whether it's either kind of form. */
export const isForm = (contentType: string | undefined) => isMultipart(contentType) || isEncodedForm(contentType);
