import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { describeStore } from '../../src/storage/conformance.ts'
import { openStore } from '../../src/storage/open/openStore.ts'

describeStore('memory:', () => openStore('memory:'))
describeStore('file:', async () => openStore(`file:${await temporaryDirectory()}`))
