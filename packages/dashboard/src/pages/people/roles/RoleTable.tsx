import type { PermissionMode } from '@burgee/contract'
import { permissionsOfRole, roles } from '@burgee/contract/access'
import { type ReactNode, useState } from 'react'
import { useSession } from '../../../api/session.ts'
import { roleTitles } from '../../../components/access/accessWords.ts'
import { SelectField } from '../../../components/Field.tsx'
import { PermissionMatrix } from './PermissionMatrix.tsx'
import styles from './Roles.module.css'

const modes: readonly (readonly [PermissionMode, string])[] = [
  ['full', 'full: roles in the organization and in projects'],
  ['basic', 'basic: one role for all projects'],
  ['flat', 'flat: everyone has all permissions']
]

/** The permissions of each role in a mode, at first the present one. Without roles that count, the mode `full`. */
export function RoleTable({ who }: { readonly who: ReactNode }) {
  const { mode: current } = useSession()
  const [mode, setMode] = useState<PermissionMode>(current === 'flat' ? 'full' : current)
  return (
    <>
      <div className={styles.choices}>
        {who}
        <SelectField
          label="Mode"
          value={mode}
          options={modes.map(([value, words]) => ({
            value,
            label: value === current ? `${words} (current)` : words
          }))}
          onChange={setMode}
        />
      </div>
      <PermissionMatrix
        label={`Permissions of roles in ${mode} mode`}
        columns={roles.map((role) => ({
          id: role,
          title: roleTitles[role],
          granted: permissionsOfRole(role, mode)
        }))}
      />
      <p className={styles.soft}>
        API clients with roles have the permissions of full mode in every mode. API clients without roles have all
        permissions.
        {mode === 'full' && ' A person can have several roles. The owner role alone does not include projects.'}
      </p>
    </>
  )
}
