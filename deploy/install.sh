#!/bin/sh
# Installs proxy-reseller on Debian 12 or Ubuntu 24.04, for systemd; updates it, and goes back. As root, in the folder of the software:
#
#   sh deploy/install.sh                  installs it, starts it, and shows the link that makes you the owner. BOT_TOKEN is the token of
#                                         your bot; without it the terminal is asked. Settings may follow: install NAME=VALUE …
#   sh deploy/install.sh set NAME=VALUE … changes settings; goes back by itself when the service does not start with them
#   sh deploy/install.sh update           replaces the program by the one of this folder, and goes back by itself when that is not ready
#   sh deploy/install.sh back             goes back to the program of before the last update
#
# TARGET (/srv/proxy-reseller) gets .env, data/ and the programs: program is the one in use, before the one that was. The program belongs
# to root, the data to the user reseller, as whom it runs. LIMIT (120) is how many seconds a start may take.
set -eu
umask 022
# As "su" leaves it, the path of root lacks these.
PATH=$PATH:/usr/sbin:/sbin
source=$(cd "$(dirname "$0")/.." && pwd -P)
target=${TARGET:-/srv/proxy-reseller}
limit=${LIMIT:-120}
user=reseller
unit=proxy-reseller
token=${BOT_TOKEN:-}
unset BOT_TOKEN

# The terminal may be gone.
say() { echo "$*" >&2 || :; }
fail() {
  say "$*"
  exit 1
}
as_user() { setpriv --reuid=$user --regid=$user --clear-groups "$@"; }
# A command of the operator, of the program that is called so.
operator_of() {
  program=$1
  shift
  (cd "$target" && as_user env -i PATH="$PATH" HOME="$target/data" node "$program/dist/cli/operator.js" "$@")
}

require_tools() {
  # The compilers are used only where no prebuilt SQLite can be downloaded.
  if ! { command -v python3 && command -v make && command -v g++; } >/dev/null; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3 make g++ >/dev/null
  fi
  if command -v npm >/dev/null && node "$source/scripts/check-node.mjs" 2>/dev/null; then return; fi
  say 'Node.js 22 is installed from https://deb.nodesource.com'
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends ca-certificates curl >/dev/null
  mkdir -p /etc/apt/keyrings
  curl -fsSL https://deb.nodesource.com/gpgkey/nodesource-repo.gpg.key -o /etc/apt/keyrings/nodesource.asc
  echo 'deb [signed-by=/etc/apt/keyrings/nodesource.asc] https://deb.nodesource.com/node_22.x nodistro main' \
    >/etc/apt/sources.list.d/nodesource.list
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq nodejs >/dev/null
  node "$source/scripts/check-node.mjs"
}

# Builds the program of this folder beside the one in use, which goes on meanwhile; $new is where it stands.
build() {
  for each in "$target"/programs/*; do
    case $each in "$(readlink -f "$target/program")" | "$(readlink -f "$target/before")") ;; *) rm -rf "$each" ;; esac
  done
  new=programs/$(date -u +%Y-%m-%dT%H-%M-%S)
  mkdir "$target/$new"
  (cd "$source" && cp -r --parents --preserve=timestamps package.json package-lock.json \
    scripts src prisma prisma.config.ts tsconfig.json deploy .env.example "$target/$new")
  (
    cd "$target/$new"
    rm -rf src/generated
    chown -R $user:$user .
    # What it prints is of use only when it fails.
    quiet() { as_user env HOME="$PWD" "$@" >build.log 2>&1 || { cat build.log >&2 && return 1; }; }
    # The same libraries are not installed twice, unless they are of another Node.js.
    if ! {
      cmp package-lock.json ../../program/package-lock.json &&
        cp -al ../../program/node_modules . && as_user node scripts/install.mjs
    } >/dev/null 2>&1; then
      rm -rf node_modules
      quiet npm ci --omit=dev --no-audit --no-fund
    fi
    quiet npm run build
    rm -rf .npm build.log
    chown -hR root:root .
    chmod -R go=rX .
  )
}

# Makes a link anew, in one step.
point() {
  ln -sfn "$2" "$target/$1.new"
  mv -T "$target/$1.new" "$target/$1"
}

# Puts the program $1 in the place of the one in use, with its unit and the command "operator".
use() {
  point program "$1"
  sed "s|/srv/proxy-reseller|$target|g" "$target/program/deploy/$unit.service" >/etc/systemd/system/$unit.service
  mkdir -p /usr/local/bin
  cat >/usr/local/bin/operator <<END
#!/bin/sh
# The operator's commands of proxy-reseller, given by root as the user of the shop.
cd $target && exec setpriv --reuid=$user --regid=$user --clear-groups \\
  env -i PATH="\$PATH" HOME=$target/data node program/dist/cli/operator.js "\$@"
END
  chmod 755 /usr/local/bin/operator
}

has_systemd() { [ -d /run/systemd/system ]; }
start() {
  systemctl daemon-reload
  systemctl enable --quiet $unit
  systemctl restart $unit
  stopped=
}
# Whatever ends this script meanwhile starts what is in use.
stop() {
  stopped=1
  systemctl stop $unit
}
stopped=
trap 'status=$?; [ -z "$stopped" ] || systemctl start $unit; exit $status' EXIT
trap 'exit 130' INT TERM
trap '' HUP

# Prints what the service misses, by the names of /readyz; fails when nothing answers there.
down() {
  (cd "$target" && env -i PATH="$PATH" node --env-file=.env -e '
    const { HOST = "", PORT } = process.env
    const host = HOST.includes(":") ? `[${HOST}]` : HOST || "127.0.0.1"
    fetch(`http://${host}:${PORT || 3000}/readyz`)
      .then((answer) => answer.json())
      .then(({ checks }) => console.log(Object.keys(checks).filter((name) => checks[name] === "down").join(" ")))
      .catch(() => process.exit(1))')
}
# For when it is enough that something answers.
everything='database disk jobs bot gateway clock books chats chain'
# Waits until the service misses nothing but $1; fails when the time is up.
becomes_ready() {
  end=$(($(date +%s) + limit))
  while [ "$(date +%s)" -lt "$end" ]; do
    if missing=$(down); then
      for each in $missing; do case " $1 " in *" $each "*) ;; *) continue 2 ;; esac; done
      return 0
    fi
    sleep 1
  done
  journalctl -u $unit -o cat --no-pager -n 20 >&2
  return 1
}

# Writes settings (NAME=VALUE each) into .env, in the place of those that are there.
write_settings() {
  touch "$target/.env"
  cp -p "$target/.env" "$target/.env.new"
  for each in "$@"; do
    name=${each%%=*} value=${each#*=}
    case $name in "$each" | '' | *[!A-Z0-9_]*) fail "This is no NAME=VALUE: $each" ;; esac
    # Signs that mean something in such a file.
    case $value in *\'*) fail "The value of $name has a ', which .env cannot hold" ;; *[!A-Za-z0-9]*) value="'$value'" ;; esac
    { grep -v "^$name=" "$target/.env.new" || :; } >"$target/.env.part"
    echo "$name=$value" >>"$target/.env.part"
    mv "$target/.env.part" "$target/.env.new"
  done
  chown root:$user "$target/.env.new"
  chmod 640 "$target/.env.new"
  mv "$target/.env.new" "$target/.env"
}

install() {
  [ ! -e "$target/program" ] || fail "It is installed in $target: sh deploy/install.sh update"
  if [ ! -e "$target/.env" ]; then
    if [ -z "$token" ] && [ -t 0 ]; then
      printf 'Token of your bot, from @BotFather: ' >&2
      read -r token
    fi
    [ -n "$token" ] || fail 'BOT_TOKEN is missing: the token of your bot, from @BotFather'
    set -- NODE_ENV=production "BOT_TOKEN=$token" "$@"
  fi
  require_tools
  id $user >/dev/null 2>&1 || useradd --system --user-group --home-dir "$target" --shell /usr/sbin/nologin $user
  mkdir -p "$target/programs" "$target/data"
  chown $user:$user "$target/data"
  chmod 700 "$target/data"
  (umask 077 && write_settings "$@")
  build
  use "$new"
  has_systemd || fail "Installed. systemd does not run here, so start \"node program/dist/main.js\" as $user in $target by other means."
  start
  becomes_ready chain || fail 'It is installed, and not ready. When you know what to change: sh deploy/install.sh set NAME=VALUE'
  for _ in 1 2 3 4 5; do
    link=$(journalctl -u $unit -o cat --no-pager -n 1000 | grep -o 'https://t.me/[^"]*start=staff_[A-Za-z0-9_-]*' | tail -n 1 || :)
    [ -z "$link" ] || break
    sleep 1
  done
  say 'The shop runs. Commands for it begin with "operator".'
  if [ -n "$link" ]; then
    say 'Open this link in Telegram now: whoever does so first is the owner.'
    echo "$link"
  else
    say 'If nobody runs it yet, "operator person invite Owner --role owner" prints a link that makes you the owner.'
  fi
}

set_settings() {
  [ -e "$target/program" ] || fail "Nothing is installed in $target: sh deploy/install.sh"
  has_systemd || fail "systemd does not run here: change $target/.env, and start the service anew by other means"
  cp -p "$target/.env" "$target/.env.before"
  was=$(down) || was=$everything
  (umask 077 && write_settings "$@")
  start
  if becomes_ready "$was chain"; then
    rm "$target/.env.before"
    return
  fi
  mv "$target/.env.before" "$target/.env"
  start
  fail 'It is not ready with these settings, so that the ones of before are in use again.'
}

update() {
  [ -e "$target/program" ] || fail "Nothing is installed in $target: sh deploy/install.sh"
  has_systemd || fail 'systemd does not run here: an update stops and starts the service by it'
  require_tools
  build
  # What was missing already is no fault of the new program.
  was=$(down) || was=$everything
  stop
  old=$(readlink "$target/program")
  rm -f "$target/data/before-update.db"
  if ! said=$(operator_of program backup "$target/data/before-update.db" 2>&1); then
    say "$said"
    # Also a database whose books do not balance is copied.
    case $said in *'There is no database'* | *'a SQLite database'*) ;; *)
      [ -e "$target/data/before-update.db" ] || fail 'The database cannot be copied: nothing was changed.'
      ;;
    esac
  fi
  rm -f "$target/$old/reseller.db"
  if [ -e "$target/data/before-update.db" ]; then mv "$target/data/before-update.db" "$target/$old/reseller.db"; fi
  point before "$old"
  use "$new"
  start
  if becomes_ready "$was"; then
    say "Version $(operator_of program --version) runs."
  else
    say 'The new program is not ready: going back.'
    back --yes
    exit 1
  fi
}

# Nothing else is left to be tried, so that it may take longer.
back() {
  limit=600
  [ -e "$target/before" ] || fail 'There is no program of before an update.'
  has_systemd || fail 'systemd does not run here: the way back stops and starts the service by it'
  stop
  # Only where the program of before cannot use the database that there is: what has happened since is lost with it.
  if operator_of before person list 2>&1 >/dev/null | grep -q 'of a newer version'; then
    operator_of before backup restore "$@" "$target/before/reseller.db" >&2
  fi
  use "$(readlink "$target/before")"
  start
  becomes_ready "$everything" || fail 'The program of before does not answer either.'
  rm "$target/before"
  say "Version $(operator_of program --version) runs again."
}

[ "$(id -u)" = 0 ] || fail 'This needs root.'
task=${1:-install}
[ $# -eq 0 ] || shift
case $task in
install | update | back) $task "$@" ;;
set) set_settings "$@" ;;
*) fail 'sh deploy/install.sh [install [NAME=VALUE …] | set NAME=VALUE … | update | back]' ;;
esac
