import { useId } from 'react'
import styles from './Create.module.css'
import { type FeatureType, presets } from './presets.ts'

interface Props {
  readonly type: FeatureType
  readonly onChange: (type: FeatureType) => void
}

/** What the feature is for: four cards, one of which is chosen. */
export function TypeChoice({ type, onChange }: Props) {
  const id = useId()
  return (
    <fieldset className={styles.group}>
      <legend>What is it for?</legend>
      <div className={styles.types}>
        {presets.map((preset) => (
          <label key={preset.type} className={styles.type} htmlFor={`${id}-${preset.type}`}>
            <input
              id={`${id}-${preset.type}`}
              type="radio"
              name={id}
              checked={preset.type === type}
              onChange={() => onChange(preset.type)}
              aria-describedby={`${id}-${preset.type}-purpose`}
            />
            <span className={styles.typeTitle}>{preset.title}</span>
            <span id={`${id}-${preset.type}-purpose`} className={styles.purpose}>
              {preset.purpose}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
