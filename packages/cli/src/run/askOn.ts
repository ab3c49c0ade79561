import { createInterface } from 'node:readline'
import { escapeControlCharacters } from '@burgee/kit/text'
import { NotConfirmedError } from './failures/errors.ts'

/**
 * Returns a function that asks a person. It rejects with a `NotConfirmedError` if the input ends, as with Ctrl-D.
 * @param interrupt Handles Ctrl-C, which would only end the question.
 */
export function askOn(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  interrupt: () => void
): (question: string) => Promise<string> {
  return (question) =>
    new Promise((resolve, reject) => {
      const lines = createInterface({ input, output })
      lines.on('SIGINT', interrupt)
      // Also after an answer, where the promise is settled already.
      lines.on('close', () => reject(new NotConfirmedError('nothing was changed: the question was not answered')))
      lines.question(escapeControlCharacters(question), (answer) => {
        resolve(answer)
        lines.close()
      })
    })
}
