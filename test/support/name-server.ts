import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { atTheEnd } from './clean-up.ts'

interface NameRecord {
  readonly address: string
  readonly ttl: number
}

const A = 1
const NO_SUCH_NAME = 3

/** A name server that knows IPv4 addresses, and counts the questions for them. It ends with the test. */
export async function startNameServer(records: Record<string, readonly NameRecord[]>) {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (question, { port, address }) => {
    const name = nameIn(question)
    const isA = question.readUInt16BE(12 + name.length + 2) === A
    if (isA) asked.push(name)
    socket.send(answerTo(question, name, isA ? (records[name] ?? []) : []), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  atTheEnd(() => void socket.close())
  return { asked, server: `127.0.0.1:${socket.address().port}` }
}

/** Labels with their lengths (RFC 1035, 4.1.2), as a name with dots. */
function nameIn(question: Buffer): string {
  const labels: string[] = []
  for (let at = 12; question[at]; at += (question[at] ?? 0) + 1)
    labels.push(question.toString('latin1', at + 1, at + 1 + (question[at] ?? 0)))
  return labels.join('.')
}

function answerTo(question: Buffer, name: string, records: readonly NameRecord[]): Buffer {
  const header = Buffer.from(question.subarray(0, 12))
  header.writeUInt16BE(0x8180 | (records.length === 0 ? NO_SUCH_NAME : 0), 2)
  header.writeUInt16BE(records.length, 6)
  header.fill(0, 8)
  const asked = question.subarray(12, 12 + name.length + 2 + 4)
  const answers = records.map(({ address, ttl }) => {
    const answer = Buffer.from([0xc0, 12, 0, A, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)])
    answer.writeUInt32BE(ttl, 6)
    return answer
  })
  return Buffer.concat([header, asked, ...answers])
}
