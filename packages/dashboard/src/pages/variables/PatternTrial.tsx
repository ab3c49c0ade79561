import { useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useRead } from '../../api/query.ts'
import { TextField } from '../../components/Field.tsx'
import { describeError } from '../../components/States.tsx'

const DELAY_MS = 400

/** A field that says whether a text matches a pattern. The server decides, whose patterns differ from those of browsers. */
export function PatternTrial({ pattern }: { readonly pattern: string }) {
  const { project = '' } = useParams({ strict: false })
  const [text, setText] = useState('')
  const [asked, setAsked] = useState({ pattern, text })
  useEffect(() => {
    const timer = setTimeout(() => setAsked({ pattern, text }), DELAY_MS)
    return () => clearTimeout(timer)
  }, [pattern, text])
  const check = useRead(
    'validateVariableValue',
    {
      params: { project },
      body: {
        type: 'String',
        validationSchema: { schemaType: 'regex', regexPattern: asked.pattern, description: '', exampleValue: '' },
        values: [asked.text]
      }
    },
    { enabled: asked.pattern !== '' && asked.text !== '' }
  )
  const isCurrent = asked.pattern === pattern && asked.text === text
  const result = isCurrent && text !== '' ? check.data?.values[0] : undefined
  return (
    <TextField
      label="Try a value"
      value={text}
      isCode
      onChange={setText}
      hint={<span role="status">{result?.isValid ? 'It matches the pattern.' : 'It is not saved.'}</span>}
      error={
        result && !result.isValid
          ? result.issues.join('; ')
          : isCurrent && text !== '' && check.error
            ? describeError(check.error)
            : undefined
      }
    />
  )
}
