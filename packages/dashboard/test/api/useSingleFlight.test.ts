import { QueryClient, QueryClientProvider, type UseMutationResult } from '@tanstack/react-query'
import { act, createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { beforeAll, expect, test } from 'vitest'
import { useSingleFlight } from '../../src/api/useSingleFlight.ts'
import { container, prepareReact } from '../support/reactContainer.ts'

beforeAll(prepareReact)

interface Props {
  readonly send: () => Promise<string>
  readonly onRender: (save: UseMutationResult<string, Error, string>) => void
}

function Dialog({ send, onRender }: Props) {
  onRender(useSingleFlight<string, string>({ mutationFn: send }))
  return null
}

/** Shows a dialog that saves. Each request waits until the test answers it. */
async function openDialog() {
  const requests: { readonly resolve: (saved: string) => void; readonly reject: (error: Error) => void }[] = []
  let save: UseMutationResult<string, Error, string> | undefined
  const send = () => new Promise<string>((resolve, reject) => requests.push({ resolve, reject }))
  const onRender: Props['onRender'] = (rendered) => {
    save = rendered
  }
  const root = createRoot(container())
  const client = new QueryClient()
  const children = createElement(Dialog, { send, onRender })
  await act(async () => root.render(createElement(QueryClientProvider, { client, children })))
  const called: string[] = []
  const callbacks = (name: string) => ({
    onSuccess: (saved: string) => called.push(`${name} saved ${saved}`),
    onError: (error: Error) => called.push(`${name} failed: ${error.message}`),
    onSettled: () => called.push(`${name} settled`)
  })
  return {
    requests,
    called,
    save: (variables: string, name = variables) => act(async () => save?.mutate(variables, callbacks(name))),
    close: () => act(async () => root.unmount())
  }
}

test('a call with the same variables sends nothing while one is under way', async () => {
  const { requests, called, save, close } = await openDialog()
  await save('a', 'first')
  await save('a', 'second')
  expect(requests).toHaveLength(1)
  await act(async () => requests[0]?.resolve('it'))
  expect(called).toEqual(['first saved it', 'first settled'])
  await save('a', 'third')
  await act(async () => requests[1]?.reject(new Error('no')))
  expect(called.slice(2)).toEqual(['third failed: no', 'third settled'])
  await close()
})

test('the callbacks run even if the dialog is closed before the response', async () => {
  const { requests, called, save, close } = await openDialog()
  await save('a')
  await save('b')
  await close()
  await act(async () => requests[0]?.resolve('it'))
  await act(async () => requests[1]?.reject(new Error('no')))
  expect(called).toEqual(['a saved it', 'a settled', 'b failed: no', 'b settled'])
})
