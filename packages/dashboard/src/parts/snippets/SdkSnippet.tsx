import { useId, useState } from 'react'
import { useRead } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { rememberSnippetLanguage, rememberSnippetStyle, snippetLanguage, snippetStyle } from '../../look/preferences.ts'
import { Snippet } from '../Copy.tsx'
import { SelectField } from '../Field.tsx'
import { maskKey, newestKey } from '../keys/sdkKeys.ts'
import { languageOf, languages, type SnippetStyle, snippetOf } from './languages.ts'
import styles from './SdkSnippet.module.css'
import { exampleVariable, type SnippetInput, type SnippetLanguage } from './snippet.ts'

interface Props {
  readonly project: string
  /** The environment whose keys are used, by its key. */
  readonly environment: string
  /** What the snippet evaluates; the project's first variable by default. */
  readonly variable?: SnippetInput['variable'] | undefined
}

/** How an application evaluates a variable, in the language that this browser remembers. Secret keys stay masked. */
export function SdkSnippet({ project, environment, variable }: Props) {
  const [language, setLanguage] = useState(() => languageOf(snippetLanguage()))
  const [style, setStyle] = useState<SnippetStyle>(snippetStyle)
  const { input, isKeyMissing } = useSnippetInput({ project, environment, variable }, language)
  const chooseLanguage = (id: string) => {
    rememberSnippetLanguage(id)
    setLanguage(languageOf(id))
  }
  const chooseStyle = (chosen: SnippetStyle) => {
    rememberSnippetStyle(chosen)
    setStyle(chosen)
  }
  const shown = language.keyType === 'server' ? { ...input, sdkKey: maskKey(input.sdkKey) } : input
  const { shell, code } = snippetOf(language, style, shown)
  return (
    <div className={styles.snippet}>
      <div className={styles.choice}>
        <SelectField
          label="Language"
          value={language.id}
          options={languages.map(({ id, title }) => ({ value: id, label: title }))}
          onChange={chooseLanguage}
        />
        {language.openfeature && language.native && <StyleChoice chosen={style} onChange={chooseStyle} />}
      </div>
      {isKeyMissing && (
        <p className={styles.note}>
          There is no {language.keyType} key that you can see. Put one in the place of “{input.sdkKey}”.
        </p>
      )}
      <Snippet label="Shell" text={shell} copies={snippetOf(language, style, input).shell} />
      <Snippet label={`${language.title} code`} text={code} />
    </div>
  )
}

function useSnippetInput({ project, environment, variable }: Props, { keyType }: SnippetLanguage) {
  const { server } = useSession()
  const { data: loaded } = useRead('getEnvironment', { params: { project, key: environment } })
  const { data: variables } = useRead(
    'listVariables',
    { params: { project }, query: { sortOrder: 'asc' } },
    { enabled: variable === undefined }
  )
  const sdkKey = newestKey(loaded?.sdkKeys, keyType, Date.now())
  const input: SnippetInput = {
    url: (server.publicUrl ?? location.origin).replace(/\/+$/, ''),
    sdkKey: sdkKey ?? `${keyType}-…`,
    variable: variable ?? exampleVariable(variables) ?? { key: 'new-checkout', type: 'Boolean' }
  }
  return { input, isKeyMissing: loaded !== undefined && sdkKey === undefined }
}

const styleTitles: readonly (readonly [SnippetStyle, string])[] = [
  ['openfeature', 'OpenFeature'],
  ['native', 'Native SDK']
]

interface StyleProps {
  readonly chosen: SnippetStyle
  readonly onChange: (style: SnippetStyle) => void
}

function StyleChoice({ chosen, onChange }: StyleProps) {
  const name = useId()
  return (
    <fieldset className={styles.styles}>
      <legend>SDK</legend>
      <div>
        {styleTitles.map(([style, title]) => (
          <label key={style}>
            <input type="radio" name={name} checked={chosen === style} onChange={() => onChange(style)} />
            {title}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
