-- HTTP over the Unix socket of the daemon, with what Neovim itself brings. One request, one connection: the daemon closes it after its
-- answer, so that the end of the stream is the end of the answer.
local place = require('loci.place')
local uv = vim.uv or vim.loop

local M = {}

-- A daemon that starts needs a second or two.
M.timeout_ms = 30000

local function encoded(text)
  return (text:gsub('[^%w%-%._~/]', function(char)
    return ('%%%02X'):format(char:byte())
  end))
end

local function request_text(operation, body)
  local random = vim.fn.sha256(tostring(uv.hrtime()) .. tostring(uv.getpid()) .. body)
  return table.concat({
    'POST /operations/' .. operation .. ' HTTP/1.1',
    'Host: localhost',
    'Connection: close',
    'Accept: application/json, application/problem+json',
    'Content-Type: application/json',
    'Content-Length: ' .. #body,
    'Loci-Agent: neovim',
    'Loci-Folder: ' .. encoded(vim.fn.getcwd()),
    'Idempotency-Key: ' .. random:sub(1, 32),
    '',
    body,
  }, '\r\n')
end

local function unchunked(body)
  local parts, at = {}, 1
  while true do
    local from, to, size = body:find('^(%x+)[^\r\n]*\r\n', at)
    local length = from and tonumber(size, 16) or 0
    if length == 0 then
      return table.concat(parts)
    end
    parts[#parts + 1] = body:sub(to + 1, to + length)
    at = to + length + 3
  end
end

-- Answers a sentence about what went wrong, or nil and the decoded answer.
local function read_answer(text)
  local head, body = text:match('^(.-\r\n)\r\n(.*)$')
  local status = head and tonumber(head:match('^HTTP/1%.%d (%d+)'))
  if not status then
    return 'the daemon broke off its answer; see `loci logs`'
  end
  if head:lower():find('transfer-encoding: chunked', 1, true) then
    body = unchunked(body)
  end
  local ok, answer = pcall(vim.json.decode, body, { luanil = { object = true, array = true } })
  if not ok or type(answer) ~= 'table' then
    return ('what answers is not Loci (status %d)'):format(status)
  end
  if status >= 400 then
    return answer.message or answer.detail or ('the daemon answered %d'):format(status)
  end
  return nil, answer
end

local function exchange(path, text, done)
  local pipe = assert(uv.new_pipe(false))
  local timer = assert(uv.new_timer())
  local chunks, is_settled = {}, false
  local function settle(problem, answer, is_absent)
    if is_settled then
      return
    end
    is_settled = true
    timer:close()
    pipe:close()
    vim.schedule(function()
      done(problem, answer, is_absent)
    end)
  end
  timer:start(M.timeout_ms, 0, function()
    settle('no answer within ' .. M.timeout_ms / 1000 .. ' s; see `loci logs`')
  end)
  pipe:connect(path, function(refused)
    if refused then
      return settle('no daemon answers: run `loci start`', nil, true)
    end
    pipe:read_start(function(broken, chunk)
      if broken then
        settle('the daemon broke off its answer; see `loci logs`')
      elseif chunk then
        chunks[#chunks + 1] = chunk
      else
        local whole = table.concat(chunks)
        vim.schedule(function()
          settle(read_answer(whole))
        end)
      end
    end)
    pipe:write(text)
  end)
end

-- The command that starts the daemon: that of the installation which ran last, else the one on PATH.
local function start_command()
  local card = place.card()
  local script = type(card.script_path) == 'string' and (vim.fn.fnamemodify(card.script_path, ':h') .. '/loci.cjs')
  if script and uv.fs_stat(script) and type(card.node_path) == 'string' and uv.fs_stat(card.node_path) then
    return { card.node_path, script, 'start' }
  end
  return vim.fn.executable('loci') == 1 and { 'loci', 'start' } or nil
end

local function may_start()
  local value = os.getenv('LOCI_NO_AUTOSTART')
  return not value or value == '' or value == '0' or value == 'false'
end

-- Calls an operation; `done(problem)` or `done(nil, answer)`, on the main loop. A daemon that is down is started once.
function M.call(operation, input, done)
  local text = request_text(operation, vim.json.encode(input))
  local path, foreign = place.socket()
  if not path then
    return done(foreign)
  end
  exchange(path, text, function(problem, answer, is_absent)
    local command = is_absent and may_start() and start_command()
    if not command then
      return done(problem, answer)
    end
    vim.fn.jobstart(command, {
      on_exit = function()
        local again, why = place.socket()
        if not again then
          return done(why)
        end
        exchange(again, text, done)
      end,
    })
  end)
end

return M
