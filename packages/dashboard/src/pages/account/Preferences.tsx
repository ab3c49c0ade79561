import { useMemo } from 'react'
import { density, shortcuts, theme, timeZone } from '../../look/preferences.ts'
import { densityChoices, themeChoices, timeZoneChoices } from '../../look/preferenceWords.ts'
import { usePreference } from '../../look/usePreference.ts'
import { CheckField, SelectField } from '../../parts/Field.tsx'
import { formatMoment } from '../../parts/Time.tsx'
import styles from './Account.module.css'

/** What this browser remembers: theme, rows, time zone, single-key shortcuts. Holds at once. */
export function Preferences() {
  const [chosenTheme, chooseTheme] = usePreference(theme)
  const [chosenDensity, chooseDensity] = usePreference(density)
  const [zone, chooseZone] = usePreference(timeZone)
  const [singleKeys, chooseSingleKeys] = usePreference(shortcuts)
  const zones = useMemo(timeZoneChoices, [])
  return (
    <div className={styles.form}>
      <p className={styles.soft}>For this browser only. Each choice holds at once.</p>
      <div className={styles.pair}>
        <SelectField label="Theme" value={chosenTheme} options={themeChoices} onChange={chooseTheme} />
        <SelectField label="List density" value={chosenDensity} options={densityChoices} onChange={chooseDensity} />
      </div>
      <SelectField
        label="Time zone of dates"
        value={zone}
        options={zones}
        onChange={chooseZone}
        hint={`Now: ${formatMoment(Date.now())}. Where you type a time, it is in the zone that the field names.`}
      />
      <CheckField
        label="Single-key shortcuts"
        isChecked={singleKeys === 'on'}
        onChange={(isOn) => chooseSingleKeys(isOn ? 'on' : 'off')}
        hint="Such as / for search and ? for the list of all keys."
      />
    </div>
  )
}
