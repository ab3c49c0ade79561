import { useMemo } from 'react'
import { CheckField, SelectField } from '../../components/Field.tsx'
import { formatMoment } from '../../components/Time.tsx'
import { density, shortcuts, theme, timeZone } from '../../preferences/preferences.ts'
import { densityChoices, themeChoices, timeZoneChoices } from '../../preferences/preferenceWords.ts'
import { usePreference } from '../../preferences/usePreference.ts'
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
      <p className={styles.soft}>
        These apply to this browser only, and take effect immediately. The dashboard is available in English.
      </p>
      <div className={styles.pair}>
        <SelectField label="Theme" value={chosenTheme} options={themeChoices} onChange={chooseTheme} />
        <SelectField label="List density" value={chosenDensity} options={densityChoices} onChange={chooseDensity} />
      </div>
      <SelectField
        label="Time zone"
        value={zone}
        options={zones}
        onChange={chooseZone}
        hint={`Now: ${formatMoment(Date.now())}. Fields for a date or time use the language and time zone of the browser.`}
      />
      <CheckField
        label="Single-key shortcuts"
        isChecked={singleKeys === 'on'}
        onChange={(isOn) => chooseSingleKeys(isOn ? 'on' : 'off')}
        hint="For example, / searches and ? lists all shortcuts."
      />
    </div>
  )
}
