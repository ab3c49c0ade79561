import type { Permission } from '@burgee/contract'
import { permissionWords } from '@burgee/contract/access'
import { Fragment } from 'react'
import { permissionGroups } from '../../../components/access/accessWords.ts'
import styles from './Roles.module.css'

interface Column {
  readonly id: string
  readonly title: string
  readonly granted: ReadonlySet<Permission>
  /** Whether it is a project, in which permissions of the organization do not apply. */
  readonly isProject?: true
}

interface Props {
  readonly label: string
  readonly columns: readonly Column[]
}

/** Permissions by role or scope. */
export function PermissionMatrix({ label, columns }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard.
    <section className={styles.frame} aria-label={label} tabIndex={0}>
      <table className={styles.matrix}>
        <thead>
          <tr>
            <th scope="col">Permission to …</th>
            {columns.map(({ id, title }) => (
              <th key={id} scope="col">
                <bdi>{title}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {permissionGroups.map((group) => (
            <Fragment key={group.title}>
              <tr className={styles.group}>
                <th scope="colgroup" colSpan={columns.length + 1}>
                  <span>{group.title}</span>
                </th>
              </tr>
              {group.permissions.map((permission) => (
                <tr key={permission}>
                  <th scope="row">
                    {permissionWords[permission]}
                    <code>{permission}</code>
                  </th>
                  {columns.map(({ id, granted, isProject }) => (
                    <td key={id}>
                      {isProject && permission.startsWith('organization:') ? null : (
                        <Mark isGranted={granted.has(permission)} />
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Mark({ isGranted }: { readonly isGranted: boolean }) {
  return (
    <span className={isGranted ? styles.yes : styles.no}>
      <span aria-hidden="true">{isGranted ? '✓' : '–'}</span>
      <span className="visually-hidden">{isGranted ? 'yes' : 'no'}</span>
    </span>
  )
}
