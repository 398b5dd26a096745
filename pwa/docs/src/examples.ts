export type Language = "curl" | "node" | "python";

/** A call that can be pasted and run: with the reader's own key and address, and never their secret. */
export function exampleOf(language: Language, origin: string, apiKey: string, path: string): string {
  const key = apiKey || "<API_KEY>";
  switch (language) {
    case "curl":
      return `export RENTAL_SECRET='<SECRET>'
path='${path}'
signature=$(printf '%s' "$path" | openssl dgst -sha1 -hmac "$RENTAL_SECRET" | sed 's/.* //')
curl -H "Authorization: ${key}:$signature" "${origin}$path"`;
    case "node":
      return `import { createHmac } from "node:crypto";

const path = ${JSON.stringify(path)};
const body = ""; // the raw body of a POST
const signature = createHmac("sha1", process.env.RENTAL_SECRET).update(path + body).digest("hex");
const response = await fetch(${JSON.stringify(origin)} + path, {
  headers: { Authorization: \`${key}:\${signature}\` },
});
console.log(response.status, await response.json());`;
    case "python":
      return `import hashlib, hmac, json, os, urllib.request

path = ${JSON.stringify(path)}
body = ""  # the raw body of a POST
signature = hmac.new(os.environ["RENTAL_SECRET"].encode(), (path + body).encode(), hashlib.sha1).hexdigest()
request = urllib.request.Request(${JSON.stringify(origin)} + path, headers={"Authorization": f"${key}:{signature}"})
print(json.load(urllib.request.urlopen(request)))`;
  }
}
