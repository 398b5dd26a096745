import { account } from "./account.ts";
import { chooseBranch, chosenBranchCode } from "./desk/chosen-branch.ts";
import { Select } from "./desk/inputs.tsx";
import { t } from "./texts.ts";

interface BranchSwitchProps {
  /** Whether the label is only for screen readers. */
  readonly isLabelHidden?: boolean;
}

/** Branch that Today, the lists and the planning are limited to. Only for companies with several. */
export function BranchSwitch({ isLabelHidden = false }: BranchSwitchProps) {
  const branches = account.value.rental_locations;
  if (branches.length < 2) return null;
  return (
    <label class="branch-switch">
      <span class={isLabelHidden ? "unseen" : ""}>{t("branch")}</span>
      <Select
        name="branch"
        value={chosenBranchCode.value}
        none={t("allBranches")}
        choices={branches.map(({ code, name }) => [code, name])}
        onChange={chooseBranch}
      />
    </label>
  );
}
