-- Where the daemon of this machine listens: the same rules as those of every other client of Loci (shared/paths.ts).
local uv = vim.uv or vim.loop

local M = {}

-- `sun_path` holds 108 bytes on Linux and 104 on macOS, its closing NUL included.
local is_mac = uv.os_uname().sysname == 'Darwin'
local max_socket_bytes = is_mac and 103 or 107

local function env(name)
  local value = os.getenv(name)
  return value ~= '' and value or nil
end

local function xdg(name, usual)
  local value = env(name)
  return value and value:sub(1, 1) == '/' and value or (uv.os_homedir() .. '/' .. usual)
end

local function folders()
  local home = env('LOCI_HOME')
  if home then
    home = vim.fn.fnamemodify(home, ':p'):gsub('/$', '')
    return { data = home .. '/data', run = home .. '/run' }
  end
  if is_mac then
    local library = uv.os_homedir() .. '/Library'
    return { data = library .. '/Application Support/loci', run = library .. '/Caches/loci/run' }
  end
  local runtime = env('XDG_RUNTIME_DIR')
  return {
    data = xdg('XDG_DATA_HOME', '.local/share') .. '/loci',
    run = runtime and runtime:sub(1, 1) == '/' and (runtime .. '/loci') or (xdg('XDG_STATE_HOME', '.local/state') .. '/loci/run'),
  }
end

local function usual_socket(run)
  local given = env('LOCI_SOCKET')
  if given then
    return vim.fn.fnamemodify(given, ':p')
  end
  local path = run .. '/loci.sock'
  if #path <= max_socket_bytes then
    return path
  end
  local hash = vim.fn.sha256(run):sub(1, 16)
  return ('%s/loci-%d-%s/loci.sock'):format((uv.os_tmpdir()), uv.getuid(), hash)
end

-- The card that the daemon of this home left, or an empty table.
function M.card()
  local file = io.open(folders().data .. '/locid.json', 'r')
  if not file then
    return {}
  end
  local text = file:read('*a')
  file:close()
  local ok, card = pcall(vim.json.decode, text)
  return ok and type(card) == 'table' and card or {}
end

-- The socket; nil and a sentence for one that is another user's: nothing may be said to it.
function M.socket()
  local path = usual_socket(folders().run)
  local recorded = M.card().http_socket
  if not uv.fs_stat(path) and type(recorded) == 'string' and M.card().host == uv.os_gethostname() then
    path = recorded
  end
  local found = uv.fs_lstat(path)
  if found and found.uid ~= uv.getuid() then
    return nil, ('the socket %s belongs to another user'):format(path)
  end
  return path
end

return M
