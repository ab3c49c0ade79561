import type { Environment } from '@burgee/contract/schemas'
import styles from './Features.module.css'

/** The class of a cell of an environment: phones show the chosen one only. */
export function cellClass(column: Environment, chosen: Environment | undefined): string {
  return `${styles.environment} ${column._id === chosen?._id ? styles.chosen : ''}`
}
