import { CheckField } from '../../components/Field.tsx'
import styles from '../../components/settings/Settings.module.css'

interface Props {
  readonly legend: string
  /** Ids and names. */
  readonly people: readonly (readonly [id: string, name: string])[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

/** Some of the people of the organization. Renders nothing if there are none. */
export function PeopleChoice({ legend, people, chosen, onChange }: Props) {
  if (people.length === 0) return null
  return (
    <fieldset className={styles.people}>
      <legend>{legend}</legend>
      {people.map(([id, name]) => (
        <CheckField
          key={id}
          label={<bdi>{name}</bdi>}
          isChecked={chosen.includes(id)}
          onChange={(isChosen) => onChange(isChosen ? [...chosen, id] : chosen.filter((other) => other !== id))}
        />
      ))}
    </fieldset>
  )
}
