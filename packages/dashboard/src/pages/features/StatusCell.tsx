import type { StatusInEnvironment } from '@burgee/contract/schemas'
import { Pennant } from '../../parts/feature/Pennant.tsx'
import styles from './Status.module.css'
import { describeStatus } from './statusWords.ts'

/** The status of a feature in an environment: shape, word and colour. */
export function StatusCell({ status }: { readonly status: StatusInEnvironment | undefined }) {
  const { state, share, words, detail } = describeStatus(status)
  return (
    <span className={styles.status}>
      <Pennant state={state} share={share} />
      <span className={styles.text}>
        <span className={styles[state]}>{words}</span>
        {detail && (
          <bdi className={styles.detail} title={detail}>
            {detail}
          </bdi>
        )}
      </span>
    </span>
  )
}
