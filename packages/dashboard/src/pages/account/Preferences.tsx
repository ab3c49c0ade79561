import { useMemo } from 'react'
import { density, shortcuts, theme, timeZone } from '../../look/preferences.ts'
import { densityChoices, themeChoices, timeZoneChoices } from '../../look/preferenceWords.ts'
import { usePreference } from '../../look/usePreference.ts'
import { CheckField, SelectField } from '../../parts/Field.tsx'
import { formatMoment } from '../../parts/Time.tsx'
import styles from './Account.module.css'

/** What this browser remembers: theme, density, time zone, single-key shortcuts. */
export function Preferences() {
  const [chosenTheme, chooseTheme] = usePreference(theme)
  const [chosenDensity, chooseDensity] = usePreference(density)
  const [zone, chooseZone] = usePreference(timeZone)
  const [singleKeys, chooseSingleKeys] = usePreference(shortcuts)
  const zones = useMemo(timeZoneChoices, [])
  return (
    <div className={styles.form}>
      <p className={styles.soft}>These apply to this browser only, and take effect immediately.</p>
      <div className={styles.pair}>
        <SelectField label="Theme" value={chosenTheme} options={themeChoices} onChange={chooseTheme} />
        <SelectField label="List density" value={chosenDensity} options={densityChoices} onChange={chooseDensity} />
      </div>
      <SelectField
        label="Time zone"
        value={zone}
        options={zones}
        onChange={chooseZone}
        hint={`Now: ${formatMoment(Date.now())}. Fields for a time name their own time zone.`}
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
