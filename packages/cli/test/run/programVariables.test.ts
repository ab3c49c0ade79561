import { describeSettings, programVariables } from '@burgee/kit/settings'
import { expect, test } from 'vitest'
import { createProgram } from '../../src/program.ts'

test('other programs know the variables of burgee', () => {
  const { main, commands, prefix } = createProgram()
  const all = [main, ...commands].flatMap(({ settings }) => describeSettings(settings, prefix))
  const own = all
    .flatMap(({ variable, fileVariable }) => [variable, fileVariable])
    .filter((name) => name?.startsWith(prefix))
  // The folder of the profiles is no setting: it is read before any command runs.
  expect(programVariables.burgee).toEqual([...new Set([...own, 'BURGEE_CONFIG_DIR'])].sort())
})
