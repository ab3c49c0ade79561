import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './Start.module.css'
import type { StepState } from './steps.ts'

interface Props {
  readonly number: number
  readonly state: StepState
  readonly title: string
  readonly children: ReactNode
}

/** A step with its number, or a tick once it is done. */
export function Step({ number, state, title, children }: Props) {
  return (
    <li className={`${styles.step} ${styles[state]}`} aria-current={state === 'current' ? 'step' : undefined}>
      <span className={styles.mark} aria-hidden="true">
        {state === 'done' ? <Check size={16} /> : number}
      </span>
      <div className={styles.body}>
        <h2>
          {title}
          {state === 'done' && <span className="visually-hidden"> (done)</span>}
        </h2>
        {children}
      </div>
    </li>
  )
}
