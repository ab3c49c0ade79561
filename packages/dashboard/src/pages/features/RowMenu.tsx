import type { Environment, FeatureListItem } from '@burgee/contract/schemas'
import { Link, useParams } from '@tanstack/react-router'
import type { RefObject } from 'react'
import { MenuItem, MenuOf, MenuSeparator } from '../../components/Menu.tsx'
import type { MenuOpening } from '../../components/menu/MenuPopup.tsx'

/** Returns the id of the button that opens the menu of a row. */
export function menuButtonId({ _id }: FeatureListItem): string {
  return `menu-${_id}`
}

/** The menu of a row, beside its button. */
export interface OpenMenu {
  readonly row: FeatureListItem
  readonly button: RefObject<HTMLElement | null>
  /** How it was opened; `undefined` once it is closed. */
  readonly openedBy: MenuOpening | undefined
}

interface Props {
  readonly menu: OpenMenu
  readonly environment: Environment | undefined
  readonly onClose: () => void
  readonly onKill: (row: FeatureListItem) => void
}

/** The menu that all rows share; it is open for one row at a time. */
export function RowMenu({ menu: { row, button, openedBy }, environment, onClose, onKill }: Props) {
  const { org = '', project = '' } = useParams({ strict: false })
  const params = { org, project, feature: row.key }
  return (
    <MenuOf button={button} labelledBy={menuButtonId(row)} openedBy={openedBy} onClose={onClose} align="end">
      {environment && (
        <MenuItem
          link={
            <Link
              to="/o/$org/p/$project/features/$feature/manage-feature"
              params={params}
              search={{ env: environment.key }}
            />
          }
        >
          Targeting in {environment.name}
        </MenuItem>
      )}
      <MenuItem link={<Link to="/o/$org/p/$project/features/$feature/audit-log" params={params} />}>History</MenuItem>
      <MenuSeparator />
      <MenuItem
        isDangerous
        onSelect={() => onKill(row)}
        reason={isOff(row) ? 'it is off in all environments' : undefined}
      >
        Turn off everywhere…
      </MenuItem>
    </MenuOf>
  )
}

function isOff({ status, environments }: FeatureListItem): boolean {
  return (
    status === 'archived' || Object.values(environments).every((one) => one.status === 'off' || one.status === 'killed')
  )
}
