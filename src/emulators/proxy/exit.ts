import type { Socket } from 'node:net'

/** A target that a proxy may reach. */
export interface Target {
  readonly host: string
  readonly port: number
}

/** A proxy that let somebody in. */
export interface Exit {
  reach(target: Target): Promise<Socket | 'forbidden' | 'unreachable'>
}

/**
 * Lets a client in. Username and password are empty for a client that names none.
 *
 * @returns undefined for wrong credentials
 * @throws for a proxy that is dead
 */
export type Login = (username: string, password: string, socket: Socket) => Promise<Exit | undefined>

/** Carries bytes both ways until one side ends. */
export function join(near: Socket, far: Socket): void {
  near.pipe(far)
  far.pipe(near)
  near.once('close', () => far.destroy())
  far.once('close', () => near.destroy())
}
