import type { Actor } from '../access/actor.ts'
import { binding } from '../binding.ts'
import { activateAccount, activationLink } from './activation.ts'
import { adjustSubUserBalance } from './adjust-balance.ts'
import { adjustSubUsers, planAdjustments } from './adjust-sub-users.ts'
import { askForMoney } from './ask-for-money.ts'
import { authentication } from './authenticate.ts'
import { currentBalance } from './balance.ts'
import { changePassword, provePassword } from './change-password.ts'
import { accountsIn, logOutChat, logOutOfAll, switchAccount } from './chat-log-ins.ts'
import { createSubUser } from './create-account.ts'
import { createSubUsers, planSubUsers } from './create-sub-users.ts'
import { deleteSubUser } from './delete-sub-user.ts'
import type { AccountDeps } from './deps.ts'
import { endDevice, endOtherDevices, listDevices } from './devices.ts'
import { editSubUserContact } from './edit-contact.ts'
import { editSubUserAccount } from './edit-sub-user-account.ts'
import { endToken } from './end-token.ts'
import { exportSubUsers } from './export-sub-users.ts'
import { hasPassword, setFirstPassword } from './first-password.ts'
import { getSubUser } from './get-sub-user.ts'
import { habitsOf, keepHabit } from './habits.ts'
import { createInvite, inviteState, openInvite, setInvitedPassword } from './invites.ts'
import { createJoinLink, getJoinLink, listJoinLinks, revokeJoinLink } from './join-links.ts'
import { joinByLink, joinOffer, pricesByLink } from './join.ts'
import { listSubUsers } from './list-sub-users.ts'
import { type LogIn, logIn } from './log-in.ts'
import { declineAskedMoney, giveAskedMoney } from './money-requests.ts'
import { subUserIds, subUsersNamed } from './pick-sub-users.ts'
import { planAdjustment } from './plan-adjustment.ts'
import { setSubUsersStatus, setSubUserStatus } from './set-sub-user-status.ts'
import { suggestUsername } from './suggest-username.ts'
import { logInRegistered, registeredIn } from './telegram-log-in.ts'

/** What accounts do with themselves and their sub-users. */
export function accountsPart(deps: AccountDeps, registrationLink: string | undefined) {
  const bind = binding(deps)
  return {
    habits: bind(habitsOf),
    keepHabit: bind(keepHabit),
    /** Like {@link logIn}, and issues the access token. */
    logIn: async (credentials: LogIn) => {
      const { tokenVersion, ...account } = await logIn(deps, credentials)
      return {
        account,
        token: deps.tokens.issue(account.id, tokenVersion),
        expiresIn: deps.tokens.lifetime,
      }
    },
    authenticate: authentication(deps),
    balance: bind(currentBalance),
    createSubUser: bind(createSubUser),
    planSubUsers: bind(planSubUsers),
    createSubUsers: bind(createSubUsers),
    listSubUsers: bind(listSubUsers),
    exportSubUsers: bind(exportSubUsers),
    subUserIds: bind(subUserIds),
    subUsersNamed: bind(subUsersNamed),
    editSubUserContact: bind(editSubUserContact),
    getSubUser: bind(getSubUser),
    planAdjustment: bind(planAdjustment),
    askForMoney: bind(askForMoney),
    giveAskedMoney: bind(giveAskedMoney),
    declineAskedMoney: bind((seen, actor: Actor, id: number | undefined) =>
      declineAskedMoney(seen, actor, id),
    ),
    adjustSubUserBalance: bind(adjustSubUserBalance),
    planAdjustments: bind(planAdjustments),
    adjustSubUsers: bind(adjustSubUsers),
    editSubUserAccount: bind(editSubUserAccount),
    setSubUserStatus: bind(setSubUserStatus),
    setSubUsersStatus: bind(setSubUsersStatus),
    deleteSubUser: bind(deleteSubUser),
    createInvite: bind(createInvite),
    inviteState: bind(inviteState),
    setInvitedPassword: bind(setInvitedPassword),
    createJoinLink: bind(createJoinLink),
    listJoinLinks: bind(listJoinLinks),
    getJoinLink: bind(getJoinLink),
    revokeJoinLink: bind(revokeJoinLink),
    joinOffer: bind(joinOffer),
    pricesByLink: bind(pricesByLink),
    /** The token of the link by which strangers register and see prices (rules 2.27); undefined where none was set. */
    publicLink: registrationLink,
    suggestUsername: bind(suggestUsername),
    hasPassword: bind(hasPassword),
    setFirstPassword: bind(setFirstPassword),
    provePassword: bind(provePassword),
    /** Ends the token of a request. */
    logOut: bind(endToken),
    devices: bind(listDevices),
    endDevice: bind(endDevice),
    endOtherDevices: bind(endOtherDevices),
    changePassword: bind(changePassword),
    /** Like {@link changePassword}, outside of a chat: issues a token in place of those that it ended. */
    changePasswordForToken: async (actor: Actor, input: Parameters<typeof changePassword>[3]) => {
      const version = await changePassword(deps, actor, undefined, input)
      return { token: deps.tokens.issue(actor.id, version), expiresIn: deps.tokens.lifetime }
    },
    activate: bind(activateAccount),
    activationLink: bind(activationLink),
  }
}

/** The accounts that are logged in at a chat. */
export function logInsPart(deps: AccountDeps) {
  const bind = binding(deps)
  return {
    openInvite: bind(openInvite),
    join: bind(joinByLink),
    registered: bind(registeredIn),
    logInRegistered: bind(logInRegistered),
    logOut: bind(logOutChat),
    logOutOfAll: bind(logOutOfAll),
    accounts: bind(accountsIn),
    switchAccount: bind(switchAccount),
  }
}
