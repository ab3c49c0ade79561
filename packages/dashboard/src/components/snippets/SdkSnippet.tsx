import { Eye, EyeOff } from 'lucide-react'
import { useId, useState } from 'react'
import { useRead } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import {
  rememberSnippetLanguage,
  rememberSnippetStyle,
  snippetLanguage,
  snippetStyle
} from '../../preferences/preferences.ts'
import { Button } from '../Button.tsx'
import { Snippet } from '../Copy.tsx'
import { SelectField } from '../Field.tsx'
import { maskedKey } from '../keys/sdkKeys.ts'
import { useSdkKey } from '../keys/useSdkKey.ts'
import { NpmNote } from '../links/NpmNote.tsx'
import { ErrorBanner } from '../States.tsx'
import { languageOf, languages, type SnippetStyle, snippetOf } from './languages.ts'
import styles from './SdkSnippet.module.css'
import { exampleVariable, type SnippetCode, type SnippetInput } from './snippet.ts'

interface Props {
  readonly project: string
  /** The environment whose keys are used, by its key. */
  readonly environment: string
  /** What the snippet evaluates; the project's first variable by default. */
  readonly variable?: SnippetInput['variable'] | undefined
}

/**
 * How an application evaluates a variable, in the language that this browser remembers. The key is masked, and read when
 * a person shows or copies it.
 */
export function SdkSnippet({ project, environment, variable }: Props) {
  const [language, setLanguage] = useState(() => languageOf(snippetLanguage()))
  const [style, setStyle] = useState<SnippetStyle>(snippetStyle)
  const { keyType } = language
  const { readKey, sdkKey, isShown, toggle, isMissing, error } = useSdkKey({ project, environment, type: keyType })
  const input = useSnippetInput(project, variable)
  const chooseLanguage = (id: string) => {
    rememberSnippetLanguage(id)
    setLanguage(languageOf(id))
  }
  const chooseStyle = (chosen: SnippetStyle) => {
    rememberSnippetStyle(chosen)
    setStyle(chosen)
  }
  const placeholder = isMissing ? `${keyType}-…` : maskedKey(keyType)
  const snippetWith = (key: string) => snippetOf(language, style, { ...input, sdkKey: key })
  const shown = snippetWith(isShown && sdkKey !== undefined ? sdkKey : placeholder)
  const copy = (part: keyof SnippetCode) =>
    shown[part].includes(placeholder) ? async () => snippetWith((await readKey()) ?? `${keyType}-…`)[part] : shown[part]
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
        <Button
          icon={isShown ? <EyeOff size={16} aria-hidden="true" /> : <Eye size={16} aria-hidden="true" />}
          aria-pressed={isShown}
          onClick={toggle}
        >
          {`Show the ${keyType} key`}
        </Button>
      </div>
      {isMissing && (
        <p role="status" className={styles.note}>
          There is no {keyType} key that you can see. Put one in the place of “{placeholder}”.
        </p>
      )}
      {error && <ErrorBanner error={error} title="The key could not be loaded" />}
      <Snippet label="Shell" text={shown.shell} copies={copy('shell')} />
      <Snippet label={`${language.title} code`} text={shown.code} copies={copy('code')} />
      {shown.shell.includes('@burgee/') && <NpmNote />}
    </div>
  )
}

/** The values of a snippet, except for the key. */
function useSnippetInput(project: string, variable: Props['variable']): Omit<SnippetInput, 'sdkKey'> {
  const { server } = useSession()
  const { data: variables } = useRead(
    'listVariables',
    { params: { project }, query: { sortOrder: 'asc' } },
    { enabled: variable === undefined }
  )
  return {
    url: server.publicUrl ?? location.origin,
    variable: variable ?? exampleVariable(variables) ?? { key: 'new-checkout', type: 'Boolean' }
  }
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
