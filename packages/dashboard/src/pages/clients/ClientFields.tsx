import { issueIn } from '../../api/issues.ts'
import { GrantFields } from '../../components/access/GrantFields.tsx'
import { newGrant } from '../../components/access/grantRows.ts'
import { PermissionFields } from '../../components/access/PermissionFields.tsx'
import { CheckField, TextAreaField } from '../../components/Field.tsx'
import { RestrictionFields } from '../../components/keys/RestrictionFields.tsx'
import styles from './Clients.module.css'
import type { ClientForm } from './clientForm.ts'

/** The members of the body whose problems the fields show. */
export const clientFieldNames = [
  'name',
  'clientId',
  'redirectUris',
  'roles',
  'permissions',
  'expiresAt',
  'allowedNetworks'
]

interface Props {
  readonly form: ClientForm
  readonly set: (edit: Partial<ClientForm>) => void
  readonly error: Error | null
}

/** The addresses to which people return after signing in. */
export function AddressField({ form, set, error }: Props) {
  return (
    <TextAreaField
      label="Redirect URIs"
      isCode
      value={form.addresses}
      onChange={(addresses) => set({ addresses })}
      placeholder="https://app.example.com/callback"
      hint="Where people return after signing in. One per line: https, http on a loopback address, or com.example.app:/callback."
      error={issueIn(error, 'redirectUris')}
    />
  )
}

/** The permissions of a client that acts for itself. */
export function RoleFields({ form, set, error }: Props) {
  return (
    <>
      <CheckField
        label="All permissions"
        isChecked={form.roles === undefined}
        onChange={(isAll) => set({ roles: isAll ? undefined : [newGrant] })}
        hint="In every project, when the client acts for itself. Otherwise it has the roles below, in every permission mode."
      />
      {form.roles && (
        <GrantFields
          grants={form.roles}
          onChange={(roles) => set({ roles })}
          isOfClient
          error={issueIn(error, 'roles')}
        />
      )}
    </>
  )
}

/** The restrictions of a client: its permissions, expiry and networks. */
export function LimitFields({ form, set, error }: Props) {
  const isLimited = form.permissions !== undefined
  return (
    <>
      <CheckField
        label="Restrict its permissions"
        isChecked={isLimited}
        onChange={(isOn) => set({ permissions: isOn ? new Set() : undefined })}
        hint="The client has at most the permissions that you choose, for itself and for the people who use it."
      />
      {form.permissions && (
        <div className={styles.indented}>
          <PermissionFields chosen={form.permissions} onChange={(permissions) => set({ permissions })} />
        </div>
      )}
      <RestrictionFields
        type="server"
        value={form.restrictions}
        onChange={(restrictions) => set({ restrictions })}
        error={error}
      />
    </>
  )
}
