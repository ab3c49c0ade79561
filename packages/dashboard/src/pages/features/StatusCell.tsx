import type { StatusInEnvironment } from '@burgee/contract/schemas'
import { StatusIcon } from '../../components/feature/StatusIcon.tsx'
import { describeListedStatus } from './describeListedStatus.ts'
import styles from './Status.module.css'

/** The status of a feature in an environment: shape, word and colour. Has no element around it: lists show thousands. */
export function StatusCell({ status }: { readonly status: StatusInEnvironment | undefined }) {
  const { state, share, words, detail } = describeListedStatus(status)
  return (
    <>
      <StatusIcon state={state} share={share} />
      {detail ? (
        <span className={styles.text}>
          <span className={styles[state]}>{words}</span>
          <br className={styles.break} />
          <bdi className={styles.detail} title={detail}>
            {detail}
          </bdi>
        </span>
      ) : (
        <span className={`${styles.text} ${styles[state]}`}>{words}</span>
      )}
    </>
  )
}
