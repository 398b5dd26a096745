import type { ResourceName } from "#domain/catalogue/resources/names.ts";
import { RESOURCES } from "#domain/catalogue/resources/resources.ts";
import { hasUserRight } from "../account.ts";
import { NotAllowed } from "../desk/not-allowed.tsx";
import { t } from "../texts.ts";
import { ResourceForm } from "./form.tsx";
import { ResourceListPage } from "./list.tsx";
import { getNewRecordTitle } from "./record-title.ts";

/** List of a resource or form of one record, created from its declaration. */
export default function ResourcePage({ path }: { readonly path: readonly string[] }) {
  const [name, id] = path;
  const resource = RESOURCES.find((resource) => resource.name === (name as ResourceName));
  if (!resource) return <main>{t("nothingFound")}</main>;
  if (id === "new" && !hasUserRight(resource.writeRight))
    return <NotAllowed title={getNewRecordTitle(resource)} right={resource.writeRight} />;
  if (resource.isSingle) return <ResourceForm key={name} resource={resource} id="1" />;
  return id === undefined ? (
    <ResourceListPage key={name} resource={resource} />
  ) : (
    <ResourceForm key={`${name}/${id}`} resource={resource} id={id === "new" ? undefined : id} />
  );
}
